// Whether a text may name a picture: told from the text alone, because most name none.

import type { PictureFacts } from "../pictures/index.ts";

export interface FoundImage extends PictureFacts {
  path: string;
}

export const mayNameImages = (text: string): boolean => /\.(png|jpe?g|gif|webp|bmp|tiff?|hei[cf])\b/i.test(text);

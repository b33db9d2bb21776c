// The door of the pictures room: what a picture is, and how it is made small enough to be sent or shown. Getting one ready to
// be sent is loaded only when it is too large.

export { encodePng } from "./encode-png.ts";
export { type PictureFacts, type PictureKind, pictureFacts } from "./facts.ts";
export type { Pixels } from "./pixels.ts";
export { decodePng } from "./png.ts";
export { type Limits, type Prepared, preparePicture } from "./prepare.ts";
export { scaleDown } from "./scale.ts";

/** Reading photos takes a library of its own. */
export const loadJpeg = () => import("./jpeg.ts");

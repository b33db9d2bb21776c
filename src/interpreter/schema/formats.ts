// The formats of text that are looked at. Others say nothing, as the standard has it.

import { isIPv4, isIPv6 } from "node:net";

const isDate = (text: string): boolean =>
  /^\d{4}-\d\d-\d\d$/.test(text) && new Date(`${text}T00:00:00Z`).toJSON()?.startsWith(text) === true;
const isTime = (text: string): boolean =>
  /^([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d+)?(z|[+-]([01]\d|2[0-3]):[0-5]\d)$/i.test(text);

export const formats: Readonly<Record<string, (text: string) => boolean>> = {
  date: isDate,
  time: isTime,
  "date-time": (text) => {
    const [date = "", time = ""] = text.split(/[Tt ]/);
    return isDate(date) && isTime(time);
  },
  email: (text) => /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)*$/.test(text),
  uri: (text) => /^[a-z][a-z\d+.-]*:\S+$/i.test(text) && URL.canParse(text),
  uuid: (text) => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text),
  ipv4: isIPv4,
  ipv6: isIPv6,
  hostname: (text) => /^(?=.{1,253}$)[a-z\d]([a-z\d-]{0,61}[a-z\d])?(\.[a-z\d]([a-z\d-]{0,61}[a-z\d])?)*$/i.test(text),
};

// Prompts and examples are files of their own kind; the build inlines them as text.
declare module "*.md" {
  const text: string;
  export default text;
}
declare module "*.bash" {
  const text: string;
  export default text;
}
declare module "*.zsh" {
  const text: string;
  export default text;
}
declare module "*.fish" {
  const text: string;
  export default text;
}
declare module "*.py" {
  const text: string;
  export default text;
}
/** A page's libraries, bundled into one script. */
declare module "*.jsx" {
  const text: string;
  export default text;
}
declare module "*.csv" {
  const text: string;
  export default text;
}

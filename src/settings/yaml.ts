// The parts of the YAML reader we use, in a file of their own so that they are loaded only when there is a file to read.

export { isAlias, isMap, isScalar, isSeq, LineCounter, parseDocument, stringify } from "yaml";

// What a React page may import, as one script: bundled when the package is built, so that a page needs no network.

import * as React from "react";
import * as runtime from "react/jsx-runtime";
import * as ReactDOM from "react-dom";
import * as client from "react-dom/client";

const ReactDOMWhole = { ...ReactDOM, ...client };
let rendered = false;
const rootOf = client.createRoot;
ReactDOMWhole.createRoot = (...args) => {
  rendered = true;
  return rootOf(...args);
};
// As it was before React 18.
ReactDOMWhole.render = (element, container) => ReactDOMWhole.createRoot(container).render(element);

const modules = {
  react: React,
  "react-dom": ReactDOMWhole,
  "react-dom/client": ReactDOMWhole,
  "react/jsx-runtime": runtime,
};

// Code that was written without imports finds the hooks too.
Object.assign(globalThis, { ...React, React, ReactDOM: ReactDOMWhole });

globalThis.__page = {
  require(name) {
    if (name in modules) return modules[name];
    throw new Error(`${name} cannot be imported: a page has react and react-dom, and no network.`);
  },
  show(component) {
    if (rendered) return;
    if (!component) throw new Error("There is nothing to show: export a component by default, or call it App.");
    const element =
      typeof component === "object" && component.$$typeof && component.props
        ? component
        : React.createElement(component);
    rootOf(document.getElementById("root")).render(element);
  },
};

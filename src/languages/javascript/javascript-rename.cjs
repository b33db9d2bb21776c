// `fs.rename` inside the write layer, which refuses to rename folders that were there before; most code does not expect that.

const fs = require("node:fs");
const { syncBuiltinESMExports } = require("node:module");

const refused = (error) => error?.code === "EXDEV";
const moving = () => require("./javascript-move.cjs");

exports.allow = () => {
  const { rename, renameSync, promises } = fs;
  const renameSoon = promises.rename;
  fs.renameSync = function renameSync_(from, to) {
    try {
      renameSync(from, to);
    } catch (error) {
      if (!refused(error)) throw error;
      moving().sync(renameSync, from, to, error);
    }
  };
  promises.rename = async function rename(from, to) {
    try {
      await renameSoon(from, to);
    } catch (error) {
      if (!refused(error)) throw error;
      await moving().async(renameSoon, from, to, error);
    }
  };
  fs.rename = function rename_(from, to, callback) {
    if (typeof callback !== "function") rename(from, to, callback); // to fail as it always does
    rename(from, to, (error) => {
      if (!refused(error)) callback(error);
      else
        moving()
          .async(renameSoon, from, to, error)
          .then(() => callback(null), callback);
    });
  };
  syncBuiltinESMExports();
};

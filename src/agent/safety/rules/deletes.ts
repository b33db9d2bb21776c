// What is gone afterwards, or no longer what it was.

import type { Act } from "../act.ts";
import { type Place, spotOf } from "../place.ts";
import { comesFrom, gap, type Value } from "../value.ts";
import {
  accountFiles,
  authorizedKeys,
  autostartFiles,
  diskDevices,
  environmentFile,
  harmlessDevices,
  interpreterStartFiles,
  serviceFiles,
  shellStartFiles,
  timetables,
} from "./paths.ts";
import { rules } from "./rule.ts";
import { commandMatches, shortened } from "./words.ts";

const isPattern = (path: Value): boolean => comesFrom(path, "listing");
const spot = (path: Value, place: Place) => spotOf(path.text ?? gap, place);

/** What of this is deleted at once: everything in the folder, or several by a pattern. */
const isWhole = (act: Extract<Act, { type: "delete" }>): boolean =>
  act.recursive || (isPattern(act.path) && /(^|\/)\*+$/.test(act.path.text ?? ""));

const isEverything = (act: Extract<Act, { type: "delete" }>, place: Place): boolean => {
  const { precious, holdsAll } = spot(act.path, place);
  return isWhole(act) && (precious || holdsAll);
};

const isOutside = ({ path }: Extract<Act, { type: "delete" }>, place: Place): boolean => {
  const { known, inside, temporary } = spot(path, place);
  return known && !inside && !temporary;
};

/** Files with a rule of their own, in another table. */
const elsewhere = [
  shellStartFiles,
  timetables,
  serviceFiles,
  autostartFiles,
  authorizedKeys,
  accountFiles,
  interpreterStartFiles,
];

export const deletes = rules({
  "delete-everything": {
    kind: "deletes",
    severity: "danger",
    sentence: "Deletes %, with everything in it.",
    sees: (act, place) =>
      act.type === "delete" && isEverything(act, place) ? shortened(spot(act.path, place).path) : undefined,
  },
  "delete-outside": {
    kind: "deletes",
    severity: "danger",
    sentence: "Deletes % outside the working folder.",
    sees: (act, place) =>
      act.type === "delete" && !isEverything(act, place) && isOutside(act, place)
        ? shortened(spot(act.path, place).path)
        : undefined,
  },
  "delete-recursive": {
    kind: "deletes",
    severity: "warning",
    sentence: "Deletes % and everything in it.",
    sees: (act, place) => {
      if (act.type !== "delete" || !act.recursive || isEverything(act, place) || isOutside(act, place))
        return undefined;
      return act.path.text === undefined || act.path.text === gap
        ? "a folder that is not known before it runs"
        : shortened(act.path.text);
    },
  },
  "delete-by-pattern": {
    kind: "deletes",
    severity: "warning",
    sentence: "Deletes every file that matches %.",
    sees: (act, place) => {
      if (act.type !== "delete" || act.recursive || !isPattern(act.path)) return undefined;
      if (isEverything(act, place) || isOutside(act, place)) return undefined;
      return act.path.text === undefined || act.path.text.startsWith(gap) ? "a list" : shortened(act.path.text);
    },
  },
  shred: {
    kind: "deletes",
    severity: "warning",
    sentence: "Overwrites files so that they cannot be brought back.",
    sees: (act) => commandMatches(act, /^(shred|srm|wipe) (?!.*(--help|--version))|^cipher \/w/i),
  },
  "overwrite-system": {
    kind: "deletes",
    severity: "danger",
    sentence: "Changes %, which belongs to the system.",
    sees: (act, place) => {
      if (act.type !== "write") return undefined;
      const { path, system } = spot(act.path, place);
      const other = harmlessDevices.test(path) || diskDevices.test(path) || elsewhere.some((each) => each.test(path));
      return system && !other ? shortened(path) : undefined;
    },
  },
  "overwrite-dotfile": {
    kind: "deletes",
    severity: "warning",
    sentence: "Replaces the settings in %.",
    sees: (act, place) => {
      if (act.type !== "write" || act.append) return undefined;
      const { path } = spot(act.path, place);
      const own = /^~\/\.(?!cache\/|local\/share\/Trash)/.test(path) && !elsewhere.some((each) => each.test(path));
      return own || environmentFile.test(path) ? shortened(path) : undefined;
    },
  },
  "write-disk": {
    kind: "deletes",
    severity: "danger",
    sentence: "Writes straight to a disk, over what is on it.",
    sees: (act, place) =>
      (act.type === "write" && diskDevices.test(spot(act.path, place).path)) ||
      commandMatches(
        act,
        /^(mkfs(\.\w+)?|mke2fs|wipefs|blkdiscard|mkswap) (?!.*(--help|-V$))|^(fdisk|parted|sgdisk|sfdisk|gdisk) (?!-l|--list|.* print)|^diskutil (erase\w+|partitionDisk|zeroDisk)|^(format|diskpart) ?[a-z]:|^cryptsetup luksFormat/i,
      ),
  },
  "git-discard": {
    kind: "deletes",
    severity: "warning",
    sentence: "Throws away changes that git has not stored (git %).",
    sees: (act) =>
      commandMatches(
        act,
        /^git (?:-C \S+ )?(clean (?=.*(-\w*f|--force))(?!.*(-\w*n|--dry-run))|reset (?=.*--hard)|checkout (?=(-f|--force|--|\.)( |$))|restore (?!.*--staged (?!.*--worktree))|stash (drop|clear)|branch (?=.*(-D|--delete --force))|update-ref -d|reflog expire|filter-branch|filter-repo)/,
      ),
  },
  "git-force-push": {
    kind: "deletes",
    severity: "danger",
    sentence: "Replaces what others see in the repository on the server.",
    sees: (act) =>
      commandMatches(
        act,
        /^git (?:-C \S+ )?push (?=(?:.* )?(--force(-with-lease)?(=\S+)?|-\w*f|--mirror|--delete|-d|:\S+|\+\S+)( |$))/,
      ) !== undefined || undefined,
  },
  "sql-drop": {
    kind: "deletes",
    severity: "warning",
    sentence: "Takes % out of the database.",
    sees: (act) =>
      act.type === "sql" && /^(drop (table|view|materialized view|column|index)|truncate)$/.test(act.verb)
        ? `${act.what} (${act.verb})`
        : undefined,
  },
  "sql-drop-database": {
    kind: "deletes",
    severity: "danger",
    sentence: "Deletes the whole of %.",
    sees: (act) => {
      if (act.type === "sql") return /^drop (database|schema|user|role)$/.test(act.verb) ? act.what : undefined;
      const found = commandMatches(
        act,
        /^(dropdb|dropuser) |^redis-cli .*\b(flushall|flushdb)\b|^mongo(sh)? .*dropDatabase|^mysqladmin .*\bdrop\b/i,
      );
      return found && "a database";
    },
  },
  "sql-every-row": {
    kind: "deletes",
    severity: "warning",
    sentence: "Changes every row of a table: there is no WHERE (%).",
    sees: (act) => (act.type === "sql" && /^(delete|update)$/.test(act.verb) ? `${act.verb} ${act.what}` : undefined),
  },
  "delete-remote": {
    kind: "deletes",
    severity: "danger",
    sentence: "Deletes things on another machine or in a cloud (%).",
    sees: (act) =>
      commandMatches(
        act,
        /^(aws s3 (rb|rm (?=.*--recursive)|sync (?=.*--delete))|aws \S+ (delete|terminate)-[\w-]+|gsutil (-m )?(rm (?=.*-\w*r)|rb)|gcloud .*\bdelete\b|az .*\bdelete\b|kubectl delete|helm (uninstall|delete)|terraform (destroy|apply (?=.*-destroy))|gh (repo|release|secret) delete|heroku apps:destroy|npm unpublish|docker (system|volume|image) prune|docker volume rm|rclone (delete|purge))/,
      ),
  },
});

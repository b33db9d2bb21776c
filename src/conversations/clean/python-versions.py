"""Which versions of what blocks import are installed."""

import os
import re
import sys

# What a function needs without importing it itself.
ENGINES = {
    "openpyxl": r"\b(read_excel|to_excel|ExcelWriter)\b",
    "pyarrow": r"\b(read_parquet|to_parquet|read_feather|to_feather)\b",
    "lxml": r"\bread_html\b|\bto_xml\b|\bread_xml\b",
    "tables": r"\bto_hdf\b|\bread_hdf\b",
    "kaleido": r"\bwrite_image\b",
    "tabulate": r"\bto_markdown\b",
}


def versions(modules, codes, folder):
    """`name==version` for everything that was imported and installed from somewhere; and what was found nowhere."""
    from importlib import metadata

    owners = packages(metadata)
    standard = getattr(sys, "stdlib_module_names", None) or set(sys.builtin_module_names)
    wanted, missing, local = set(), set(), set()
    for module in modules:
        top = module.partition(".")[0]
        if not top or top in standard or top == "__future__":
            continue
        if os.path.exists(os.path.join(folder, top + ".py")) or os.path.isdir(os.path.join(folder, top)):
            local.add(top)
        elif top in owners:
            wanted |= set(owner_of(metadata, owners[top], module))
        elif not getattr(sys, "stdlib_module_names", None) and is_standard(top):
            continue
        else:
            missing.add(top)
    for name, pattern in ENGINES.items():
        if any(re.search(pattern, code) for code in codes):
            wanted |= set(owners.get(name, ()))
    pinned = {}
    for name in wanted:
        try:
            pinned[name.lower()] = "%s==%s" % (name, metadata.version(name))
        except metadata.PackageNotFoundError:
            missing.add(name)
    return {
        "requirements": [pinned[name] for name in sorted(pinned)],
        "missing": sorted(missing),
        "local": sorted(local),
        "python": "%d.%d" % sys.version_info[:2],
    }


def packages(metadata):
    if hasattr(metadata, "packages_distributions"):
        return {name: list(dict.fromkeys(found)) for name, found in metadata.packages_distributions().items()}
    owners = {}
    for distribution in metadata.distributions():
        for name in (distribution.read_text("top_level.txt") or "").split():
            owners.setdefault(name, []).append(distribution.metadata["Name"])
    return owners


def owner_of(metadata, names, module):
    """Several packages may share a first name: the one that has the file is meant."""
    if len(names) == 1:
        return names
    path = module.replace(".", "/")
    found = [each for each in names if any(str(file).startswith((path + "/", path + ".")) for file in metadata.files(each) or ())]
    return found or names


def is_standard(top):
    import importlib.util

    found = importlib.util.find_spec(top)
    return found is not None and "site-packages" not in (found.origin or "")

"""Which tool installs packages into this interpreter's environment, `%pip`, and what to say when an import fails."""

import importlib.util
import os
import re
import shutil
import sys
import time

# Where the name one imports is not the name one installs.
PACKAGES = {
    "Bio": "biopython", "IPython": "ipython", "Crypto": "pycryptodome", "OpenSSL": "pyopenssl", "PIL": "pillow", "attr": "attrs",
    "bs4": "beautifulsoup4", "cv2": "opencv-python", "dateutil": "python-dateutil", "docx": "python-docx",
    "dotenv": "python-dotenv", "fitz": "pymupdf", "git": "gitpython", "google.protobuf": "protobuf", "igraph": "python-igraph",
    "jose": "python-jose", "jwt": "pyjwt", "kafka": "kafka-python", "lightning": "lightning", "magic": "python-magic",
    "mpl_toolkits": "matplotlib", "MySQLdb": "mysqlclient", "osgeo": "gdal", "pptx": "python-pptx", "psycopg2": "psycopg2-binary",
    "pylab": "matplotlib", "rapidfuzz": "rapidfuzz", "serial": "pyserial", "skimage": "scikit-image", "sklearn": "scikit-learn",
    "slugify": "python-slugify", "snappy": "python-snappy", "telegram": "python-telegram-bot", "umap": "umap-learn",
    "usb": "pyusb", "win32api": "pywin32", "win32com": "pywin32", "yaml": "pyyaml", "zmq": "pyzmq",
}  # fmt: skip
# Names that people give to files of their own: no package of that name is meant.
LOCAL = set("app common config core helpers lib main models settings src test tests tools utils".split())
started = time.time()


def environment():
    """`uv`, `conda` or `pip`: what this interpreter's environment is kept with."""
    if os.path.isdir(os.path.join(sys.prefix, "conda-meta")):
        return "conda"
    try:
        with open(os.path.join(sys.prefix, "pyvenv.cfg"), encoding="utf-8") as file:
            if re.search(r"^uv\s*=", file.read(), re.MULTILINE):
                return "uv"
    except OSError:
        pass
    return "pip"


def pip():
    """The command that does for this interpreter what `pip` does, whatever is first on the PATH."""
    uv = shutil.which("uv")
    has_pip = importlib.util.find_spec("pip") is not None
    if uv and (environment() == "uv" or not has_pip):
        return [uv, "pip"]
    if not has_pip and environment() == "uv":
        return ["uv", "pip"]  # says itself that it is not there
    return [sys.executable, "-m", "pip"]


def pip_command(arguments):
    command = pip()
    if command[1] == "pip" and arguments[:1] and arguments[0] in ("install", "uninstall", "list", "show", "freeze", "check", "tree", "sync"):
        arguments = [arguments[0], "--python", sys.executable] + [each for each in arguments[1:] if each not in ("-y", "--yes")]
    return command + list(arguments)


def conda():
    return shutil.which(os.environ.get("CONDA_EXE") or "conda") or shutil.which("mamba") or "conda"


# --- what an import asks for ------------------------------------------------------------------------------------


def offer(error):
    """One line that says how to install what an import did not find, or nothing."""
    name = error.name
    if not name or name in LOCAL or name in getattr(sys, "stdlib_module_names", ()):
        return ""
    top = name.partition(".")[0]
    if top in sys.modules or top.startswith("_") or importlib.util.find_spec(top) is not None:
        return ""  # a part is missing of something that is there
    package = PACKAGES.get(name) or PACKAGES.get(top) or top.replace("_", "-")
    kind = environment()
    if kind == "conda":
        return "%s is not installed here. To install it: %%conda install %s (in a shell: conda install -y -p %s %s)\n" % (
            top, package, quoted(sys.prefix), package,
        )  # fmt: skip
    command = " ".join(map(quoted, pip_command(["install", package])))
    return "%s is not installed here. To install it: %%pip install %s (in a shell: %s)\n" % (top, package, command)


def quoted(text):
    import shlex

    return shlex.quote(text) if os.name != "nt" else '"%s"' % text if " " in text else text


# --- %pip -------------------------------------------------------------------------------------------------------


def line_pip(text, frame):
    """Runs pip for this interpreter; what it installs can be imported at once."""
    run(pip_command(driver.companion("magics").words(text)), text)


def line_uv(text, frame):
    arguments = driver.companion("magics").words(text)
    run(pip_command(arguments[1:]) if arguments[:1] == ["pip"] else ["uv"] + arguments, text)


def line_conda(text, frame):
    arguments = driver.companion("magics").words(text)
    if arguments[:1] and arguments[0] in ("install", "remove", "update", "uninstall", "list"):
        changes = [] if arguments[0] == "list" else ["--yes"]
        arguments = arguments[:1] + ["-p", sys.prefix] + changes + [each for each in arguments[1:] if each not in ("-y", "--yes")]
    run([conda()] + arguments, text)


line_mamba = line_conda


def run(command, text):
    if command[1:] and "uninstall" in command and command[0] == sys.executable and not {"-y", "--yes"} & set(command):
        command = command + ["--yes"]  # nobody can answer it
    try:
        driver.namespace["_exit_code"] = driver.companion("commands").run({"args": command})
    except FileNotFoundError:
        raise driver.companion("magics").UsageError("%s is not installed here" % command[0]) from None
    after_command(text if "install" in text else "")


PIP_WORD = re.compile(r"(?:(?:python3?|py)\s+-m\s+)?pip3?(?=\s)")


def in_this_environment(text):
    """`pip install x` as a shell command means this interpreter's environment, not the first `pip` on the PATH."""
    found = PIP_WORD.match(text)
    if not found:
        return text
    command = pip()
    rest = text[found.end() :]
    if command[1] == "pip":
        rest = re.sub(r"^(\s+(?:install|uninstall|list|show|freeze))\b", r"\1 --python " + quoted(sys.executable).replace("\\", "\\\\"), rest)
    return " ".join(map(quoted, command)) + rest


def after_command(text):
    """What was installed can be imported at once, packages installed in place included."""
    if "install" not in text and "uv" not in text:
        return
    importlib.invalidate_caches()
    import site
    import sysconfig

    # The person's own folder of packages is only on the path where it was there when this interpreter started.
    own = site.getusersitepackages() if site.ENABLE_USER_SITE else ""
    if own and own not in sys.path and os.path.isdir(own):
        driver.attempt(lambda: site.addsitedir(own))
    for folder in {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}:
        if folder and os.path.isdir(folder):
            for name in sorted(os.listdir(folder)):
                if name.endswith(".pth") and os.path.getmtime(os.path.join(folder, name)) > started:
                    driver.attempt(lambda: site.addpackage(folder, name, None))

"""Which files a block reads and makes, as far as their names are written down. Goes with python-facts.py: a block of it is one of
these, too.
"""

import ast
import fnmatch
import os
import re

WRITING = re.compile(
    r"^(to_(csv|json|excel|parquet|pickle|html|feather|markdown|latex|hdf|xml|stata|orc|file|netcdf|zarr|video_file|gif)|savefig|save|"
    r"write_(image|html|csv|parquet|json|excel|ipc|text|bytes|gif|videofile|pdf)|imsave|imwrite|tofile|savetxt|savez|savez_compressed|"
    r"dump|export\w*|output|render|urlretrieve|extractall|print_png|print_figure)$"
)
PATH_WORDS = ("path_or_buf", "path", "fname", "filename", "file", "fp", "excel_writer", "buf", "target", "where", "file_name")


class Files:
    """The part of a block that knows about files. Needs `world`, `inside`, `sure`, `note_read` and `note_change` of the rest."""

    def text_of(self, node):
        """The string, or the path, that an expression stands for, where it is written down."""
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            return node.value
        if isinstance(node, ast.Name) and node.id not in self.local:
            value = self.world.names.get(node.id)
            return value.text if value is not None else None
        if isinstance(node, ast.JoinedStr):
            parts = [self.text_of(each.value if isinstance(each, ast.FormattedValue) else each) for each in node.values]
            return "".join(parts) if all(part is not None for part in parts) else None
        if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Div)):
            left, right = self.text_of(node.left), self.text_of(node.right)
            if left is None or right is None:
                return None
            return left + right if isinstance(node.op, ast.Add) else os.path.join(left, right)
        if isinstance(node, ast.Call):
            dotted = self.dotted(node.func)
            parts = [self.text_of(each) for each in node.args]
            if dotted in ("pathlib.Path", "os.path.join", "pathlib.PurePath", "os.fspath", "str", "os.path.abspath") and parts:
                return os.path.join(*parts) if all(part is not None for part in parts) else None
            if dotted in ("pathlib.Path.cwd", "os.getcwd"):
                return self.world.folder
            if dotted == "pathlib.Path":
                return "."
        return None

    def place(self, path):
        """A path as it is seen from the folder; None for what is no file."""
        if not path or "\n" in path or "\0" in path or len(path) > 1000 or re.match(r"[a-z][a-z0-9+.-]+://", path):
            return None
        whole = os.path.normpath(os.path.join(self.world.folder, os.path.expanduser(path)))
        inside = whole == self.world.folder or whole.startswith(self.world.folder + os.sep)
        return os.path.relpath(whole, self.world.folder) if inside else whole

    def read_file(self, place):
        if place is not None and "file:" + place not in self.binds:
            self.files_read.add(place)
            self.note_read("file:" + place)
            self.note_read("folder")

    def make_file(self, place, sure=True):
        if place is None:
            return
        self.note_read("folder")
        if not self.inside:
            self.world.files.add(place)
        if sure and self.sure:
            self.files_made.add(place)
            self.binds.add("file:" + place)
        else:
            self.files_changed.add(place)
            self.note_change("file:" + place)

    def read_all_files(self):
        for place in list(self.world.files):
            self.read_file(place)

    def mention(self, text):
        """A string that names a file is taken as reading it: which function opens it does not matter."""
        place = self.place(text)
        if place is None or place == "." or "file:" + place in self.binds:
            return
        if place in self.world.files or os.path.isfile(os.path.join(self.world.folder, place)):
            self.read_file(place)
        elif any(sign in text for sign in "*?["):
            self.read_matching(place)

    def read_matching(self, pattern):
        for each in sorted(self.world.files):
            if fnmatch.fnmatch(each, pattern):
                self.read_file(each)
        top = os.path.dirname(pattern.split("*")[0])
        if not os.path.isabs(pattern) and not any(sign in top for sign in "?["):
            for each in walk_files(self.world.folder, top):
                if fnmatch.fnmatch(each, pattern) and each not in self.world.files:
                    self.read_file(each)

    def read_folder(self, place):
        for each in sorted(self.world.files):
            if place == "." or each.startswith(place + os.sep):
                self.read_file(each)
        for each in walk_files(self.world.folder, "" if place == "." else place):
            if each not in self.world.files:
                self.read_file(each)

    def path_in(self, node, positions):
        """Which argument names the file: (found, where it is, or None when that is only known later)."""
        for keyword in node.keywords:
            if keyword.arg in PATH_WORDS:
                return keyword.value
        for position in positions:
            if position < len(node.args):
                return node.args[position]
        return None

    def files_of(self, node, dotted, function):
        method = dotted.rpartition(".")[2]
        receiver = self.text_of(function.value) if isinstance(function, ast.Attribute) else None
        if dotted in ("open", "io.open", "gzip.open", "bz2.open", "lzma.open", "codecs.open", "zipfile.ZipFile", "tarfile.open"):
            return self.opened(node, self.path_in(node, [0]), 1)
        if method == "open" and receiver is not None:
            return self.opened(node, function.value, 0)
        if method in ("write_text", "write_bytes", "touch") and isinstance(function, ast.Attribute):
            place = self.place(receiver) if receiver is not None else None
            return self.make_file(place, sure=method != "touch") if place else self.unknown_file()
        if method in ("read_text", "read_bytes") and receiver is not None:
            return self.read_file(self.place(receiver))
        if dotted in ("os.listdir", "os.walk", "os.scandir") or method in ("iterdir", "glob", "rglob", "iglob"):
            return self.listed(node, dotted, method, receiver)
        if dotted in ("sqlite3.connect", "duckdb.connect"):
            text = self.text_of(self.path_in(node, [0]) or ast.Constant(""))
            place = self.place(text) if text not in (None, "", ":memory:") else None
            if place:
                self.read_file(place)
                self.make_file(place, sure=False)
            return None
        if dotted in ("os.makedirs", "os.mkdir") or method == "mkdir":
            text = self.text_of(node.args[0]) if dotted.startswith("os.") and node.args else receiver
            place = self.place(text) if text else None
            return self.note_change("place:" + place) if place else self.doubt.append("it makes folders")
        if dotted in ("os.remove", "os.unlink", "shutil.rmtree", "os.rmdir") or method in ("unlink", "rmdir"):
            text = self.text_of(node.args[0]) if not method == "unlink" and node.args else receiver
            place = self.place(text) if text else None
            return self.make_file(place, sure=False) if place else self.doubt.append("it deletes files")
        if re.match(r"(shutil\.(copy\w*|move)|os\.(rename|replace|link|symlink))$", dotted):
            places = [self.place(self.text_of(each) or "") for each in node.args[:2]]
            if len(places) < 2 or None in places:
                return self.doubt.append("it copies files whose names are only known when it runs")
            self.read_file(places[0])
            return self.make_file(places[1])
        if WRITING.match(method):
            return self.written(node, dotted, method, function)
        if re.match(r"(os\.path\.(exists|isfile)|os\.stat)$", dotted) and node.args:
            place = self.place(self.text_of(node.args[0]) or "")
            return self.read_file(place) if place in self.world.files else None
        return None

    def opened(self, node, path, position):
        mode = next((keyword.value for keyword in node.keywords if keyword.arg == "mode"), None)
        if mode is None and position < len(node.args):
            mode = node.args[position]
        written = self.text_of(mode) if mode is not None else "r"
        text = self.text_of(path) if path is not None else None
        place = self.place(text) if text is not None else None
        if place is None:
            if written is None or re.search("[wax+]", written):
                self.unknown_file()
            else:
                self.read_all_files()
        elif written is None or "+" in written or "a" in written:
            self.read_file(place)
            self.make_file(place, sure=False)
        elif re.search("[wx]", written):
            self.files_read.discard(place)
            self.reads.discard("file:" + place)
            self.make_file(place)
        else:
            self.read_file(place)
        return None

    def written(self, node, dotted, method, function):
        second = dotted in ("json.dump", "pickle.dump", "yaml.dump", "joblib.dump", "torch.save", "toml.dump", "urllib.request.urlretrieve")
        path = self.path_in(node, [1] if second else [0])
        if path is None:
            return None  # df.to_csv() gives text
        text = self.text_of(path)
        place = self.place(text) if text is not None else None
        if place is not None:
            if method not in ("extractall",):
                self.files_read.discard(place)
                self.reads.discard("file:" + place)
                return self.make_file(place)
            return self.doubt.append("it unpacks files")
        if isinstance(path, ast.Name) and (text is None):
            return self.change(path.id) if path.id in self.local or path.id in self.world.names else self.unknown_file()
        return self.unknown_file()

    def unknown_file(self):
        self.doubt.append("it writes files whose names are only known when it runs")

    def listed(self, node, dotted, method, receiver):
        first = self.text_of(node.args[0]) if node.args else None
        if dotted.startswith("os."):
            place = self.place(first or ".")
            return self.read_folder(place) if place else None
        if dotted.startswith("glob."):
            return self.read_matching(self.place(first) or first) if first else self.read_all_files()
        if receiver is None:
            return self.read_all_files() if method != "iterdir" else None
        if method == "iterdir":
            return self.read_folder(self.place(receiver) or receiver)
        pattern = os.path.join(receiver, ("*" if method == "rglob" else "") + (first or "*"))
        return self.read_matching(self.place(pattern) or pattern)


def walk_files(folder, top):
    """The files below a folder, as seen from the first; not those of tools, and not without end."""
    found = []
    for at, folders, files in os.walk(os.path.join(folder, top)):
        folders[:] = sorted(each for each in folders if not each.startswith(".") and each not in ("node_modules", "__pycache__"))
        found += [os.path.relpath(os.path.join(at, each), folder) for each in sorted(files) if not each.startswith(".")]
        if len(found) > 5000:
            break
    return found

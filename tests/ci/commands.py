#!/usr/bin/env python3
"""Prints what packaging/action/action.yml or packaging/gitlab/flamepress.yml runs, as shell commands.

Usage: commands.py FILE [INPUT=VALUE...]. Fails if the file names an input that it does not declare,
or puts an expression into the text of a command, where its value would be run by the shell.
"""
import re
import shlex
import sys

import yaml

CONTEXT = {"github.event.repository.default_branch": "main", "github.token": "a-token"}


def fill(text, values):
    """Replaces each ${{ EXPRESSION }} by its value."""
    return re.sub(r"\$\{\{ *(\S+) *\}\}", lambda m: values[m.group(1)], str(text))


def action(document, given):
    values = dict(CONTEXT)
    for name, about in document["inputs"].items():
        values["inputs." + name] = given.get(name, fill(about.get("default", ""), CONTEXT))
    for step in document["runs"]["steps"]:
        for value in step.get("with", {}).values():
            fill(value, values)
        if "run" not in step:
            continue
        if "${{" in step["run"] or step["shell"] != "bash":
            sys.exit("a command with an expression, or without the shell bash: " + step["run"])
        for name, value in step.get("env", {}).items():
            yield "export %s=%s" % (name, shlex.quote(fill(value, values)))
        yield step["run"]


def gitlab(document, given):
    job = document["flamepress"]
    for name, value in job["variables"].items():
        yield "export %s=%s" % (name, shlex.quote(given.get(name, str(value))))
    yield from job["script"]


with open(sys.argv[1], encoding="utf-8") as file:
    tree = yaml.safe_load(file)
inputs = dict(pair.split("=", 1) for pair in sys.argv[2:])
print("\n".join((action if "runs" in tree else gitlab)(tree, inputs)))

#!/usr/bin/env python3
"""Validates what flamepress wrote against the published schemas, src/report/schemas.

Usage: schemas.py FILE...

A file is validated against the schema that it names. Additional keys, which the published schemas
allow to later versions, are errors here: the schemas must describe every key. Then each key of
the first file of a schema is removed, and given a wrong type: the schema must notice.
"""
import copy
import json
import pathlib
import sys

import jsonschema

FOLDER = pathlib.Path(__file__).parents[2] / "src/report/schemas"


def read(path):
    return json.loads(pathlib.Path(path).read_text(encoding="utf-8"))


def close(schema):
    """Forbids keys that the schema does not describe."""
    if isinstance(schema, dict):
        if "required" in schema and "properties" in schema:
            schema["additionalProperties"] = False
        for value in schema.values():
            close(value)
    elif isinstance(schema, list):
        for value in schema:
            close(value)
    return schema


def damages(document):
    """Yields what was damaged, and the damaged document, for each key of the outermost object."""
    for key in document:
        without = copy.copy(document)
        del without[key]
        yield "without " + key, without
        yield key + " of another type", {**document, key: [[]]}


def main():
    schemas, seen, faults = {}, set(), []
    for path in sorted(FOLDER.glob("*.schema.json")):
        schema = read(path)
        jsonschema.Draft202012Validator.check_schema(schema)
        schemas[schema["properties"]["schema"]["const"]] = schema
    for path in sys.argv[1:]:
        document = read(path)
        name = document["schema"]
        strict = jsonschema.Draft202012Validator(close(copy.deepcopy(schemas[name])))
        for error in strict.iter_errors(document):
            place = "/".join(map(str, error.absolute_path))
            faults.append("%s: %s: %s" % (path, place, error.message[:200]))
        if name in seen:
            continue
        seen.add(name)
        published = jsonschema.Draft202012Validator(schemas[name])
        faults += ["%s accepts a document %s" % (name, what)
                   for what, bad in damages(document) if published.is_valid(bad)]
    faults += ["no file has the schema " + name for name in sorted(set(schemas) - seen)]
    print("\n".join(faults))
    sys.exit(bool(faults))


main()

"""Rewrites an OpenAPI 3.1 description as 3.0, for generators that read no newer one: python3 openapi-3.0.py < A > B"""
import json
import sys


def without_null(node, word):
    """Alternatives without `null`; a single one that is left stands for itself."""
    some = [each for each in node[word] if each != {'type': 'null'}]
    if len(some) < len(node[word]):
        node['nullable'] = True
    node[word] = some
    if len(some) != 1:
        return node
    node.pop(word)
    return {**node, 'allOf': some} if '$ref' in some[0] else {**some[0], **node}


def down(node):
    if isinstance(node, list):
        return [down(each) for each in node]
    if not isinstance(node, dict):
        return node
    node = {key: down(value) for key, value in node.items()}
    kinds = node.get('type')
    if isinstance(kinds, list):
        rest = [kind for kind in kinds if kind != 'null']
        node.pop('type')
        if len(rest) == 1:
            node['type'] = rest[0]
        if 'null' in kinds:
            node['nullable'] = True
    for word in ('anyOf', 'oneOf'):
        if isinstance(node.get(word), list):
            node = without_null(node, word)
    if 'const' in node:
        node['enum'] = [node.pop('const')]
    for edge, word in (('exclusiveMinimum', 'minimum'), ('exclusiveMaximum', 'maximum')):
        if isinstance(node.get(edge), (int, float)) and not isinstance(node.get(edge), bool):
            node[word] = node[edge]
            node[edge] = True
    if isinstance(node.get('examples'), list):
        node['example'] = node.pop('examples')[0]
    if 'prefixItems' in node:
        node.pop('prefixItems')
        node['items'] = {}
    if node.get('items') is False:
        node['items'] = {}
    node.pop('propertyNames', None)
    if isinstance(node.get('$schema'), str):
        node.pop('$schema')
    return node


description = down(json.load(sys.stdin))
description['openapi'] = '3.0.3'
json.dump(description, sys.stdout)

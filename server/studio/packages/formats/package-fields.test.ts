import { expect, test } from 'vitest'
import { agentColor } from './colors.ts'
import { parseName, parseTags, parseVersion } from './package-fields.ts'

test.each([
  ['1.2.3', '1.2.3'],
  ['1.2.3-rc.1', '1.2.3-rc.1'],
  ['v1.2.3', '1.2.3'],
  ['1', '1.0.0'],
  ['1.2', '1.2.0'],
  [' 1.2.3+build.5 ', '1.2.3'],
  ['1.2.3-', undefined],
  ['01.2.3', undefined],
  ['1.2.3.4', undefined],
  ['latest', undefined],
  ['', undefined],
  ['9999999999.0.0', undefined],
  [`1.0.0-${'a'.repeat(60)}`, undefined],
])('the version %j is %s', (text, version) => expect(parseVersion(text)).toBe(version))

test.each([
  ['a, B ,a,, ', ['a', 'b']],
  [
    ['x', 1, null],
    ['x', '1'],
  ],
  [`${'y'.repeat(49)},z`, ['z']],
  [Array.from({ length: 60 }, (_, n) => `t${n}`), Array.from({ length: 50 }, (_, n) => `t${n}`)],
  [5, undefined],
  [{}, undefined],
])('the tags %j are %j', (value, tags) => expect(parseTags(value)).toEqual(tags))

test.each([
  [' a\nb\u2028c ', 'a b c'],
  [' \t\u00a0', undefined],
  ['😀'.repeat(300), '😀'.repeat(255)],
])('the name %j', (text, name) => expect(parseName(text)).toBe(name))

test.each([
  ['red', 'red'],
  ['var(--color-Purple)', 'purple'],
  ['hsl(210, 40%, 50%)', 'blue'],
  ['355deg 80% 50%', 'red'],
  ['120 50% 50%', 'green'],
  ['300 90% 50%', 'purple'],
  ['330.5 90% 50%', 'pink'],
  ['210 2% 50%', undefined],
  ['magenta', undefined],
  ['#ff0000', undefined],
  ['', undefined],
])('the color %j of an agent is %s', (color, expected) => expect(agentColor(color)).toBe(expected))

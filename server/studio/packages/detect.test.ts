import { expect, test } from 'vitest'
import { detectPackage, prefixesOf } from './detect.ts'

const detect = (...paths: string[]) => {
  const detected = detectPackage(paths)
  return detected && `${detected.type} ${detected.prefix}${detected.main ?? ''}`
}

test.each([
  ['SKILL SKILL.md', ['SKILL.md', 'a.md', 'sub/SKILL.md']],
  ['SKILL x/SKILL.md', ['x/SKILL.md', 'x/commands/a.md', 'x/agents/b.md']],
  ['SKILL x/y/SKILL.md', ['x/y/SKILL.md', 'x/y/z']],
  ['SKILL skills/x/SKILL.md', ['skills/x/SKILL.md', 'skills/x/z']],
  ['SKILL x/skill.md', ['x/skill.md']],
  ['SKILL x/SKILL.md', ['x/SKILL.md', 'x/skill.md']],
  ['PLUGIN ', ['plugin.json', 'SKILL.md']],
  ['PLUGIN x/', ['x/.claude-plugin/plugin.json', 'x/SKILL.md']],
  ['PLUGIN ', ['.claude-plugin/plugin.json']],
  ['PLUGIN ', ['skills/a/SKILL.md', 'skills/b/SKILL.md']],
  ['PLUGIN ', ['skills/a/SKILL.md', 'README.md']],
  ['PLUGIN x/', ['x/a/SKILL.md', 'x/b/SKILL.md']],
  ['PLUGIN x/', ['x/agents/a.md', 'x/agents/b.md']],
  ['PLUGIN x/', ['x/commands/a.md', 'x/commands/b.md', 'x/hooks/hooks.json']],
  ['AGENT agents/a.md', ['agents/a.md']],
  ['AGENT x/agents/a.md', ['x/agents/a.md', 'x/commands/b.md']],
  ['AGENT x/agents/x.md', ['x/agents/x.md', 'x/agents/other.md']],
  ['AGENT commands/agents/commands.md', ['commands/agents/commands.md']],
  ['COMMAND commands/a.md', ['commands/a.md', 'README.md']],
  ['COMMAND commands/commands/commands.md', ['commands/commands/commands.md']],
  ['COMMAND x/commands/x.md', ['x/commands/x.md', 'x/commands/y.md']],
  ['PROMPT a.prompt.md', ['a.prompt.md', 'b.md']],
  ['PROMPT x/x.prompt.md', ['x/x.prompt.md', 'x/y.prompt.md']],
  ['PROMPT agents/agents.prompt.md', ['agents/agents.prompt.md']],
  ['PROMPT a.md', ['a.md', 'data.json', 'README.md', 'docs/b.md']],
  ['PROMPT README.md', ['README.md', 'data.json']],
  ['PROMPT x/docs/a.md', ['x/docs/a.md', 'x/data.json']],
  [undefined, []],
  [undefined, ['a.txt']],
  [undefined, ['a.md', 'b.md']],
  [undefined, ['a.prompt.md', 'b.prompt.md']],
  [undefined, ['x/y/z/SKILL.txt', 'x/y/z/SKILLS']],
])('%s', (expected, paths) => {
  expect(detect(...paths)).toBe(expected)
  expect(detect(...paths.toReversed())).toBe(expected)
})

test('a package may have two enclosing folders at most', () => {
  expect(prefixesOf(['a/b/c/d', 'a/b/c/e'])).toEqual(['', 'a/', 'a/b/'])
  expect(prefixesOf(['a/b', 'ab/c'])).toEqual([''])
  expect(prefixesOf(['a'])).toEqual([''])
})

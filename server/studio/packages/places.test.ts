import { expect, test } from 'vitest'
import { place } from './places.ts'

const placed = (taken: string[], paths: string[]) =>
  place(
    taken,
    paths.map(path => ({ path })),
  ).map(({ file, at }) => (file.path === at ? at : `${file.path} → ${at}`))

test.each([
  [['SKILL.md'], ['b', 'a/c'], ['a/c', 'b']],
  [['SKILL.md'], ['SKILL.md'], ['SKILL.md → SKILL.attached.md']],
  [
    ['SKILL.md'],
    ['Skill.MD', 'skill.md', 'SKILL.attached.md'],
    ['SKILL.attached.md', 'Skill.MD → Skill.attached-2.MD', 'skill.md → skill.attached-3.md'],
  ],
  [['SKILL.md'], ['skill.md/x/y'], ['skill.md/x/y → skill.attached.md/x/y']],
  [['agents/a.md'], ['agents', 'agents/b.md'], ['agents → agents.attached', 'agents/b.md']],
  [['x'], ['a', 'a/b'], ['a', 'a/b → a.attached/b']],
  [['x'], ['a/b', 'A'], ['A', 'a/b → a.attached/b']],
  [['.claude-plugin/plugin.json'], ['.claude-plugin'], ['.claude-plugin → .attached.claude-plugin']],
  [['x'], ['caf\u00e9', 'CAF\u00c9'], ['CAF\u00c9', 'caf\u00e9 → caf\u00e9.attached']],
])('beside %j', (taken, paths, expected) => {
  expect(placed(taken, paths)).toEqual(expected)
  expect(placed(taken, paths.toReversed())).toEqual(expected)
})

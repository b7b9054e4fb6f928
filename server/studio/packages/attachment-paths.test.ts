import { expect, test } from 'vitest'
import { assignPackagePaths } from './attachment-paths.ts'

const placed = (reserved: string[], paths: string[]) =>
  assignPackagePaths(
    reserved,
    paths.map(path => ({ path })),
  ).map(({ file, packagePath }) =>
    file.path === packagePath ? packagePath : `${file.path} → ${packagePath}`,
  )

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
])('next to %j', (reserved, paths, expected) => {
  expect(placed(reserved, paths)).toEqual(expected)
  expect(placed(reserved, paths.toReversed())).toEqual(expected)
})

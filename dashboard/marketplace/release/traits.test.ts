import { expect, it } from 'vitest'
import { traitsOf } from './traits.rules.ts'

const release = { type: 'SKILL' as const, frontmatter: {}, bodyMarkdown: '', files: [] }

it('reads tools as a list or as a text, with commas in brackets', () => {
  const toolsOf = (frontmatter: Record<string, unknown>) => traitsOf({ ...release, frontmatter }).tools
  expect(toolsOf({})).toBeUndefined()
  expect(toolsOf({ tools: ['Read', 'Bash'] })).toEqual(['Read', 'Bash'])
  expect(toolsOf({ 'allowed-tools': 'Read, Bash(git *, ls), Grep' })).toEqual([
    'Read',
    'Bash(git *, ls)',
    'Grep',
  ])
  expect(toolsOf({ 'allowed-tools': '' })).toEqual([])
})

it('finds programs, commands, what starts by itself, and hosts', () => {
  const traits = traitsOf({
    ...release,
    frontmatter: { model: 'small', hooks: {} },
    bodyMarkdown:
      'See https://Docs.Example.com/a and https://docs.example.com. !`git status` and !`git status`',
    files: [
      { path: 'scripts/run.sh' },
      { path: 'hooks/hooks.json' },
      { path: '.mcp.json' },
      { path: 'a.md' },
    ],
  })
  expect(traits).toEqual({
    tools: undefined,
    model: 'small',
    scripts: ['scripts/run.sh'],
    commands: ['git status'],
    starts: ['hooks/hooks.json', '.mcp.json', 'hooks'],
    hosts: ['docs.example.com'],
  })
})

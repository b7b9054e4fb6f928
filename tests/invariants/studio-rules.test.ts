import { expect, test } from 'vitest'
import type { AssetType } from '#contract/studio/assets.ts'
import { argumentsOf, filledBody } from '#dashboard/studio/assets/arguments.rules.ts'
import { compareTexts } from '#dashboard/studio/editor/compare-texts.ts'
import { nextVersion } from '#dashboard/studio/versions/next-version.rules.ts'
import * as server from '#server/studio/tools/prompts/prompt.rules.ts'
import { differenceOfTexts } from '#server/studio/versions/diff.rules.ts'
import { bumpVersion, precedenceOf, releaseLineEnd } from '#server/studio/versions/version.rules.ts'

// The editor shows before a save what the server will do: both must agree.

type Case = {
  type?: AssetType
  frontmatter?: Record<string, unknown>
  bodyMarkdown: string
  values?: Record<string, string>
}
const cases: readonly Case[] = [
  { bodyMarkdown: 'Deploy' },
  { bodyMarkdown: 'Plan $ARGUMENTS now', values: { arguments: 'the $0 site' } },
  { bodyMarkdown: 'Plan $ARGUMENTSX and \\$ARGUMENTS', values: { arguments: 'a' } },
  { type: 'COMMAND', bodyMarkdown: 'Explain $1 to $0', values: { argument0: 'Mei', argument1: 'it' } },
  { type: 'COMMAND', bodyMarkdown: 'Explain $ARGUMENTS[1]', values: { argument1: 'it' } },
  {
    type: 'COMMAND',
    frontmatter: { 'argument-hint': '[issue number] <priority>' },
    bodyMarkdown: 'Fix $0, $1',
    values: { 'issue-number': '7' },
  },
  {
    frontmatter: { arguments: 'issue branch issue' },
    bodyMarkdown: 'Fix $issue on {{ branch }}: $ARGUMENTS',
    values: { issue: '7', branch: 'main' },
  },
  {
    frontmatter: { arguments: [{ name: 'team', description: 'Its name', required: true }, 4, { name: '' }] },
    bodyMarkdown: 'For {{team}}',
    values: {},
  },
  { frontmatter: { 'argument-hint': 'what' }, bodyMarkdown: 'Deploy', values: { arguments: 'the site' } },
]

test.each(cases)(
  'a body is filled in as developer tools do it: $bodyMarkdown',
  ({ type = 'PROMPT', frontmatter = {}, bodyMarkdown, values = {} }) => {
    const known = argumentsOf({ type, frontmatter, bodyMarkdown })
    const placeholders = server.placeholdersIn(bodyMarkdown)
    expect(known.map(({ isRequired: required, ...argument }) => ({ ...argument, required }))).toEqual(
      server.argumentsOf(type, frontmatter, placeholders),
    )
    expect(filledBody(bodyMarkdown, known, values)).toBe(
      server.fillPrompt(bodyMarkdown, server.argumentsOf(type, frontmatter, placeholders), values),
    )
  },
)

const versions = ['1.0.0', '1.0.25', '1.0.3', '1.4.1', '2.0.0-beta.1', '1.4.0', '3.1.0-rc.2']

/** As the server finds it: the highest version below the end of the line. */
function serverNext(active: string, bump: 'patch' | 'minor' | 'major'): string {
  const end = releaseLineEnd(active, bump)
  const below = versions.filter(version => precedenceOf(version) < end)
  const highest = below.toSorted((one, other) => (precedenceOf(one) < precedenceOf(other) ? 1 : -1))[0]
  return bumpVersion(highest ?? active, bump)
}

test.each(versions)('the next numbers after %s are those that the server gives', active => {
  for (const bump of ['patch', 'minor', 'major'] as const)
    expect(nextVersion(active, versions, bump)).toBe(serverNext(active, bump))
})

test('a small change looks as the server shows it', () => {
  const before = Array.from({ length: 40 }, (_, line) => `line ${line}`)
  const after = before.toSpliced(30, 1, 'other').toSpliced(5, 0, 'new', 'newer').join('\n')
  expect(compareTexts(before.join('\n'), after)).toEqual(differenceOfTexts(before.join('\n'), after))
})

import { expect, test } from 'vitest'
import { limits } from '#contract/limits.ts'
import { argumentsOf, fillPrompt, missingArguments, placeholdersIn } from './prompt.rules.ts'

const named = (...names: string[]) => names.map(name => ({ name, required: false }))

test.each([
  ['nothing', 'PROMPT', {}, 'Say hello', []],
  ['names in a text', 'PROMPT', { arguments: 'issue  branch' }, '', named('issue', 'branch')],
  ['names in a list', 'COMMAND', { arguments: ['issue', 'branch', 'issue'] }, '$0', named('issue', 'branch')],
  [
    'objects',
    'PROMPT',
    {
      arguments: [
        { name: 'tone', description: 'How it sounds', required: true },
        { name: 'bad name' },
        null,
        7,
      ],
    },
    '',
    [{ name: 'tone', description: 'How it sounds', required: true }],
  ],
  [
    'positions of a command',
    'COMMAND',
    {},
    'From $0 to $ARGUMENTS[2]',
    named('argument0', 'argument1', 'argument2'),
  ],
  [
    'positions with hints',
    'COMMAND',
    { 'argument-hint': '[issue number] <priority>' },
    '$0 and $1',
    named('issue-number', 'priority'),
  ],
  ['a price in a prompt', 'PROMPT', {}, 'It costs $5 or $1.20', []],
  ['all arguments together', 'PROMPT', {}, 'Look at $ARGUMENTS', named('arguments')],
  [
    'a hint alone',
    'COMMAND',
    { 'argument-hint': 'what to deploy' },
    'Deploy',
    [{ name: 'arguments', description: 'what to deploy', required: false }],
  ],
  ['hints with duplicates', 'COMMAND', { 'argument-hint': '[a] [a]' }, '$1', named('argument0', 'argument1')],
  ['front matter with other types', 'COMMAND', { arguments: { a: 1 }, 'argument-hint': 4 }, 'x', []],
] as const)('arguments: %s', (_what, type, frontmatter, body, expected) => {
  expect(argumentsOf(type, frontmatter, placeholdersIn(body))).toEqual(expected)
})

test('finds the texts after $, each once', () => {
  expect(placeholdersIn('$ARGUMENTS $0 $0 $ARGUMENTS[1] $ARGUMENTSX $12 $name')).toEqual([
    'ARGUMENTS',
    '0',
    'ARGUMENTS[1]',
  ])
})

test.each([
  ['all', 'Do $ARGUMENTS now', named('arguments'), { arguments: 'it $0' }, 'Do it $0 now'],
  ['places', '$1 before $0, $ARGUMENTS[1]', named('a', 'b'), { a: 'x', b: 'y' }, 'y before x, y'],
  ['a position without a value stays', '$0 $1', named('a', 'b'), { a: 'x' }, 'x $1'],
  [
    'names',
    '$issue on $issue-branch {{ tone }}',
    named('issue', 'tone'),
    { issue: '7', tone: 'dry' },
    '7 on $issue-branch dry',
  ],
  [
    'the longer name first',
    '$issue $issue_id',
    named('issue', 'issue_id'),
    { issue: 'a', issue_id: 'b' },
    'a b',
  ],
  ['a name without a value', 'Tone: {{tone}}.', named('tone'), {}, 'Tone: .'],
  ['undeclared names', '{{other}} $other $HOME', named('tone'), {}, '{{other}} $other $HOME'],
  ['all values of several arguments', '$ARGUMENTS', named('a', 'b'), { b: '2', a: '1' }, '1 2'],
  [
    'an escape',
    String.raw`\$ARGUMENTS and \$0 and \$HOME`,
    named('a'),
    { a: 'x' },
    `${String.raw`$ARGUMENTS and $0 and \$HOME`}\n\nARGUMENTS: x`,
  ],
  [
    'no placeholder',
    'Deploy',
    named('arguments'),
    { arguments: 'the site' },
    'Deploy\n\nARGUMENTS: the site',
  ],
  ['no placeholder, no value', 'Deploy', named('arguments'), {}, 'Deploy'],
  [
    'one text has no positions',
    'It costs $5: $ARGUMENTS',
    named('arguments'),
    { arguments: 'a b c d e f' },
    'It costs $5: a b c d e f',
  ],
  [
    'placeholders in values',
    '$ARGUMENTS',
    named('arguments'),
    { arguments: '$& $1 $$ {{x}}' },
    '$& $1 $$ {{x}}',
  ],
])('fills in arguments: %s', (_what, body, known, provided, expected) => {
  expect(fillPrompt(body, known, provided as Record<string, string>)).toBe(expected)
})

test('rejects results beyond the limit', () => {
  const body = '$ARGUMENTS'.repeat(40_000)
  const long = 'x'.repeat(1_000)
  expect(fillPrompt(body, named('arguments'), { arguments: long })).toBeUndefined()
  expect(fillPrompt('$ARGUMENTS', named('arguments'), { arguments: long })).toBe(long)
  expect(limits.toolResourceBytes).toBeLessThan(40_000 * 1_000)
})

test('names missing required arguments', () => {
  const known = [
    { name: 'a', required: true },
    { name: 'b', required: true },
    { name: 'c', required: false },
  ]
  expect(missingArguments(known, { b: '' })).toEqual(['a'])
})

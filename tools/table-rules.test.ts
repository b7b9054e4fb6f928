import { expect, test } from 'vitest'
import { createdTables, ownershipProblems, wrongUses } from './table-rules.ts'

const problemsOf = (path: string, statement: string) =>
  wrongUses(path, `const statement = sql(\`${statement}\`)`).map(({ why }) => why)

test('an area writes its own tables and reads those of the areas that it uses', () => {
  const path = 'server/billing/invoices/invoice.sql.ts'
  expect(problemsOf(path, 'update invoice i set number = $number')).toEqual([])
  expect(problemsOf(path, 'select from invoice i join crm_client c on true, membership m')).toEqual([])
  expect(problemsOf(path, 'select from outbox o')).toEqual([])
  expect(problemsOf(path, 'update crm_client c set name = $name')).toEqual([
    'billing may not write a table of crm',
  ])
  expect(problemsOf(path, 'with gone as (delete from invoice i) insert into outbox (id) select 1')).toEqual([
    'billing may not write a table of platform',
  ])
  expect(problemsOf(path, 'select from invoice i, asset a')).toEqual([
    'billing may not read a table of studio',
  ])
})

test('the platform names no table of an area, and the files of the server none at all', () => {
  expect(problemsOf('server/platform/events/relay.sql.ts', 'select from membership m')).toEqual([
    'platform may not read a table of identity',
  ])
  expect(problemsOf('server/overview.ts', 'select from asset a')).toEqual([
    'server may not read a table of studio',
  ])
})

test('every table of the migrations has one owner', () => {
  const migrations = [
    {
      text: 'create table asset (\ncreate table day partition of asset\ncreate view actor_name as\ncreate table gone (',
    },
    { text: 'drop table gone;' },
  ]
  expect(createdTables(migrations)).toEqual(new Set(['asset', 'actor_name']))
  const problems = ownershipProblems(new Set(['asset', 'new_table']))
  expect(problems).toContain('new_table has no owner')
  expect(problems).toContain('invoice does not exist')
})

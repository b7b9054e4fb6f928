import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

/**
 * The inserts that tests write in SQL, by file, with the reason. All others are `insertRows`, so that a changed column breaks one
 * place. This list only becomes shorter.
 */
const inserts: Record<string, [count: number, reason: string]> = {
  'server/crm/signatures/chain.test.ts': [1, 'forges rows as somebody with the database would'],
  'server/identity/organization/address.test.ts': [1, 'runs the statement of a migration'],
  'server/marketplace/entries/search/search.test.ts': [2, 'computes search terms in PostgreSQL'],
  'server/platform/data/database.test.ts': [1, 'statements are the subject'],
  'server/platform/data/guard.test.ts': [6, 'statements are the subject'],
  'server/platform/data/migrate.test.ts': [5, 'runs migrations'],
  'server/platform/events/relay-leases.test.ts': [2, 'writes in open transactions'],
  'server/platform/events/relay.test.ts': [2, 'expiry is the subject, at times of the database'],
  'server/platform/events/sse/heartbeat.test.ts': [2, 'replaces leases in one statement'],
  'server/platform/http/counted-limits.test.ts': [1, 'the statement of a declared operation'],
  'server/platform/http/mount.test.ts': [1, 'the statement of a declared operation'],
  'tests/e2e/traces.test.ts': [1, 'the text of a statement in a trace'],
  'tests/faults/program.test.ts': [1, 'the record of migrations, which has no area'],
  'tests/invariants/crm-signature-fixtures.ts': [
    1,
    'takes the number and the hash of the signature in the same statement',
  ],
  'tests/invariants/statements.test.ts': [16, 'statements are the subject'],
  'tests/long/cluster/citus-rows-written.test.ts': [14, 'statements are the subject'],
  'tests/long/cluster/citus-statements.test.ts': [4, 'statements are the subject'],
  'tests/long/cluster/failover.test.ts': [1, 'writes into a table of its own'],
  'tests/long/upgrade.test.ts': [4, 'writes into tables of earlier versions'],
  'tests/support/billing/tax-records.ts': [2, 'appends to a chain that may have begun'],
  'tests/support/chat/messages.ts': [3, 'continues the sequence of a channel, with search terms'],
  'tests/support/crm/seals.ts': [1, 'replaces a row that may exist'],
  'tests/support/rates.ts': [1, 'uses up the windows that exist'],
  'tests/support/rows.ts': [1, 'the builder of all others'],
  'tests/upgrade/release-data.ts': [1, 'writes into tables of earlier versions'],
  'tests/upgrade/store-release.ts': [4, 'writes into tables of earlier versions'],
  'tools/migration-rules.test.ts': [2, 'statements are the subject'],
  'tools/table-rules.test.ts': [1, 'statements are the subject'],
}

test('tests insert rows with insertRows, except where SQL is their subject', () => {
  const root = join(import.meta.dirname, '../..')
  const files = globSync('{{contract,dashboard,sdk,server,tools}/**/*.test.ts,tests/**/*.ts}', { cwd: root })
  const found = files
    .filter(file => !file.startsWith('tests/invariants/inserts.test.ts'))
    .map(
      file => [file, readFileSync(join(root, file), 'utf8').match(/insert\s+into/gi)?.length ?? 0] as const,
    )
    .filter(([, count]) => count > 0)
  expect(files.length).toBeGreaterThan(500)
  expect(Object.fromEntries(found)).toEqual(
    Object.fromEntries(Object.entries(inserts).map(([file, [count]]) => [file, count])),
  )
})

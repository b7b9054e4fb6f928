import { parseArgs } from 'node:util'
import type { CommandContext } from '#server/area.ts'
import { ConfigError } from '#server/config.ts'
import { importHistory } from './import-history.ts'

/**
 * `import-chat --organization O --owner E --from F [--dry-run]`: imports the channels of an export of Slack (.zip) or
 * Mattermost (.jsonl).
 */
export async function runImportHistory(
  args: string[],
  { print, withDatabase }: CommandContext,
): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      organization: { type: 'string' },
      owner: { type: 'string' },
      from: { type: 'string' },
      'dry-run': { type: 'boolean', default: false },
    },
  })
  const { organization: organizationId, owner, from, 'dry-run': isDryRun } = values
  if (!organizationId || !owner || !from || !/\.(?:zip|jsonl)$/.test(from))
    throw new ConfigError(
      'Usage: import-chat --organization <id> --owner you@example.com --from slack.zip|mattermost.jsonl [--dry-run]',
    )
  const report = await withDatabase(database =>
    importHistory(database, { organizationId, owner, from, isDryRun }, print),
  )
  print(
    `${isDryRun ? 'Would import' : 'Imported'} ${report.added} messages in ${report.channels} channels into ${report.organization}.` +
      (report.skipped > 0 ? ` ${report.skipped} were there already.` : ''),
  )
  print(`${report.matchedPeople} people have an account with the same e-mail.`)
  if (report.unmatchedPeople.length > 0)
    print(`Named in the text, because they have none: ${report.unmatchedPeople.join(', ')}.`)
  if (report.leftOut.length > 0) print(`Left out: ${report.leftOut.length} direct conversations.`)
  return 0
}

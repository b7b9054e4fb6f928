import type { AreaCommands } from '#server/area.ts'

export const chatCommands: AreaCommands = context => ({
  'import-chat': {
    summary:
      'import-chat --organization ID --owner E --from F [--dry-run]: import channels of Slack or Mattermost',
    run: async args => (await import('./imports/import-history-command.ts')).runImportHistory(args, context),
  },
})

import type { AreaCommands } from '#server/area.ts'

export const integrationCommands: AreaCommands = context => ({
  'webhook-shards': {
    summary: 'webhook-shards [count]: show the number of shards of webhooks, or raise it',
    run: async args => (await import('./webhooks/shards/shards-command.ts')).runWebhookShards(args, context),
  },
})

import type { AreaCommands } from '#server/area.ts'

export const marketplaceCommands: AreaCommands = ({ print }) => ({
  verify: {
    summary:
      'verify <package.zip | install.json> --key <file>: check that a package was published and approved',
    run: async args => (await import('./provenance/verify-command.ts')).verify(args, print),
  },
})

import type { Command, CommandContext } from './area.ts'
import { chatCommands } from './chat/commands.ts'
import { integrationCommands } from './integrations/commands.ts'
import { marketplaceCommands } from './marketplace/commands.ts'

/** The commands of every area. A list apart from `areas`, so that a command loads only the modules that it needs. */
export function areaCommands(context: CommandContext): Readonly<Record<string, Command>> {
  return { ...chatCommands(context), ...integrationCommands(context), ...marketplaceCommands(context) }
}

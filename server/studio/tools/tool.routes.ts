import type { ServedOperation } from '#platform/http/operation.ts'
import { mcp } from './mcp/call-mcp.ts'
import { open } from './packages/open-package.ts'
import { plugins } from './plugins/list-plugins.ts'
import { index } from './skills/index-skills.ts'
import { installAddress } from './skills/install-address.ts'

/** The operations for developer tools. */
export const toolOperations: ServedOperation[] = [mcp, index, installAddress, plugins, open]

import { limits } from '#contract/limits.ts'
import { listPlugins } from '#contract/studio/tools.ts'
import { stream } from '#platform/http/operation.ts'
import { installablesOf } from '../packages/installable.ts'
import { signedAddress, tokenAddress } from '../packages/package-addresses.ts'
import { listPublishedIds } from '../published-assets.ts'
import { organizationNow } from '../tool.sql.ts'
import { marketplaceName } from './plugin.rules.ts'

const profile = 'claude-code'
const types = ['SKILL', 'AGENT', 'COMMAND', 'PLUGIN'] as const

/** The plugin marketplace of an organization for Claude Code: https://code.claude.com/docs/en/plugin-marketplaces. */
export const plugins = stream(listPlugins, async ({ db, caller, services, request }) => {
  const page = { types, orderBy: 'popular', limit: limits.toolCatalogue, offset: 0 } as const
  const [{ name: organization, nowSeconds }, installables] = await Promise.all([
    organizationNow(db),
    listPublishedIds(db, caller, page).then(ids => installablesOf({ db, services }, ids, profile)),
  ])
  // A client that sends the token as a header also does so for archives; one with the token in the address does not
  const sendsToken = /^bearer /i.test(request.headers.authorization ?? '')
  return {
    name: marketplaceName(organization, db.organizationId),
    description: `Published by ${organization} in Patio`,
    owner: { name: organization },
    plugins: installables.map(
      ({ slug, name, description, version, version_id, type, tags, author_name, file, sha256 }) => {
        const ref = { versionId: version_id, file, profile } as const
        const path = sendsToken
          ? tokenAddress(ref)
          : signedAddress(services.seals, db.organizationId, nowSeconds, ref)
        return {
          name: slug,
          description: description || name,
          version,
          category: type.toLowerCase(),
          tags,
          author: { name: author_name },
          source: { source: 'archive' as const, url: `${services.publicUrl}${path}`, sha256 },
        }
      },
    ),
  }
})

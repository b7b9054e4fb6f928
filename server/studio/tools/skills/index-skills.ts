import { limits } from '#contract/limits.ts'
import { indexSkills } from '#contract/studio/tools.ts'
import { query } from '#platform/http/operation.ts'
import { portableFrontmatter } from '../../packages/frontmatter/portable-frontmatter.ts'
import { installablesOf } from '../packages/installable.ts'
import { signedAddress } from '../packages/package-addresses.ts'
import { listPublishedIds } from '../published-assets.ts'
import { organizationNow } from '../tool.sql.ts'

const profile = 'agent-skills'

/** Agent Skills discovery 0.2.0: https://github.com/cloudflare/agent-skills-discovery-rfc. */
export const index = query(indexSkills, async ({ db, caller, services }) => {
  const page = { types: ['SKILL'], orderBy: 'popular', limit: limits.toolCatalogue, offset: 0 } as const
  const [{ nowSeconds }, skills] = await Promise.all([
    organizationNow(db),
    listPublishedIds(db, caller, page).then(ids => installablesOf({ db, services }, ids, profile)),
  ])
  return {
    $schema: 'https://schemas.agentskills.io/discovery/0.2.0/schema.json',
    skills: skills.map(({ slug, name, description, version_id, file, sha256 }) => ({
      name: slug,
      type: file === 'SKILL.md' ? ('skill-md' as const) : ('archive' as const),
      // The same description as in the package
      description: String(portableFrontmatter({ description: description.trim() || name }).description),
      url: signedAddress(services.seals, db.organizationId, nowSeconds, {
        versionId: version_id,
        file,
        profile,
      }),
      digest: `sha256:${sha256}`,
    })),
  }
})

import { newId } from '#platform/ids.ts'
import type { RowDefaults } from '../table.ts'

export const studioRows: RowDefaults = {
  asset: () => {
    const id = newId()
    return {
      id,
      type: 'PROMPT',
      slug: id,
      name: 'Asset',
      name_folded: 'asset',
      description: '',
      visibility: 'ORGANIZATION',
      department_set: '',
      tags: [],
      status: 'DRAFT',
      current_version_id: 'v',
      current_version: '1.0.0',
    }
  },
  asset_file: () => ({
    id: newId(),
    content_type: 'text/plain',
    size: 1,
    sha256: '0'.repeat(64),
  }),
  asset_link: () => ({ id: newId(), entity_type: 'lead' }),
  asset_share: () => ({
    id: newId(),
    grantee_kind: 'USER',
    level: 'READ',
    visibility: 'PRIVATE',
    department_set: '',
    status_type: 1,
  }),
  asset_use: () => ({ id: newId() }),
  asset_version: () => ({ description: '', body_markdown: '', frontmatter: {}, content_hash: '' }),
  collection: () => ({ id: newId() }),
}

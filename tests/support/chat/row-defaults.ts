import { newId } from '#platform/ids.ts'
import type { RowDefaults } from '../table.ts'

export const chatRows: RowDefaults = {
  chat_agent: () => ({
    id: newId(),
    name: 'n',
    purpose: 'p',
    status: 'ACTIVE',
    expires_at: new Date(Date.now() + 86_400_000),
  }),
  chat_agent_execution: () => ({
    id: newId(),
    status: 'SUCCEEDED',
    started_at: new Date(),
    finished_at: new Date(),
  }),
  chat_channel: () => ({ id: newId(), kind: 'CHANNEL', name: 'x', name_folded: 'x' }),
  chat_file: () => ({
    id: newId(),
    filename: 'a',
    content_type: 'text/plain',
    size: 1,
    sha256: '0'.repeat(64),
  }),
  chat_member: () => ({ role: 'MEMBER' }),
  chat_mention: () => ({ kind: 'USER' }),
  chat_message: () => ({ id: newId(), author_kind: 'USER', content: 'x', visibility: 'VISIBLE' }),
}

import type { Person, TestServer } from '../test-server.ts'
import { fillChannel } from './messages.ts'

/** Messages of one author in one statement, each with its number in its words: “Line 17”. */
export async function plantMessages(
  server: TestServer,
  author: Person,
  channelId: string,
  messages: number,
): Promise<void> {
  await fillChannel({ query: (text: string, values: unknown[]) => server.sql(text, values) } as never, {
    organizationId: author.organizationId,
    channelId,
    authorId: author.id,
    messages,
    // some are longer than others, as they are in a real channel
    searchWords: `'Line ' || n || case when n % 7 = 0 then repeat(' and more words', n % 40) else '' end`,
  })
}

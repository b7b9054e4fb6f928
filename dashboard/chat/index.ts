import { late } from '../parts/late.tsx'

/** The first screen comes first; it reads what the count needs a moment later. */
const afterFirstScreenMs = 1_000

/** The number of unread messages, for the navigation. */
export const ChatAttention = late(async () => {
  await new Promise(resolve => setTimeout(resolve, afterFirstScreenMs))
  return (await import('./attention.tsx')).Attention
})

import { firstScreen } from '../data/first-screen.ts'
import { late } from '../parts/late.tsx'

/** The number of unread messages, for the navigation; it reads what the count needs after the first screen. */
export const ChatAttention = late(async () => {
  await firstScreen
  return (await import('./attention.tsx')).Attention
})

import { late } from '../parts/late.tsx'

/** The number of unread messages, for the navigation. Its script comes after the first screen. */
export const ChatAttention = late(() => import('./attention.tsx').then(attention => attention.Attention))

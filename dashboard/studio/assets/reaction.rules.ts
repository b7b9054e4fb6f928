import type { Asset } from './asset.ts'

export type Reaction = 'POSITIVE' | 'NEGATIVE'
type Reacted = Pick<Asset, 'myReaction' | 'thumbsUp' | 'thumbsDown'>

/** The counters after a reaction: a person has one (USE-4 to USE-8). */
export function reacted({ myReaction, thumbsUp, thumbsDown }: Reacted, reaction: Reaction): Reacted {
  const step = (of: Reaction) => Number(reaction === of) - Number(myReaction === of)
  return {
    myReaction: reaction,
    thumbsUp: thumbsUp + step('POSITIVE'),
    thumbsDown: thumbsDown + step('NEGATIVE'),
  }
}

import { type MessageVisibility, messageVisibilities } from '#contract/chat/shapes.ts'

/** The next one for the key that cycles: visible, internal, private. */
export function nextVisibility(visibility: MessageVisibility): MessageVisibility {
  const at = messageVisibilities.indexOf(visibility)
  return messageVisibilities[at + 1] ?? messageVisibilities[0]
}

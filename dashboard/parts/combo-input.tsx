import { type KeyboardEvent, useContext, useEffect, useRef } from 'react'
import { ComboBoxStateContext, Input } from 'react-aria-components'
import { isFocusedByDialog } from './first-field.ts'

const none = { hasMoved: false, isChoosing: false, isSending: false }

/**
 * The input of a ComboBox. Where the server finds its items, a person may type, move down and press Enter before the
 * reply is there: then an option of the reply is chosen, never one of the reply before. A Ctrl+Enter after that sends
 * the form as soon as the option is chosen.
 */
export function ComboInput({
  items,
  isLoading,
  ...input
}: {
  items: readonly { id: string }[]
  isLoading: boolean
  className: string
  placeholder?: string
}) {
  const state = useContext(ComboBoxStateContext)
  // the keys that were pressed since the text changed
  const keys = useRef(none)
  const isSendingNext = useRef(false)
  const element = useRef<HTMLInputElement>(null)

  function onKeyDown(event: KeyboardEvent): void {
    if (['Control', 'Meta', 'Shift', 'Alt'].includes(event.key)) return
    const { hasMoved, isChoosing } = keys.current
    const isLate = state?.isOpen === true && (isLoading || hasMoved)
    const isSending = event.ctrlKey || event.metaKey
    if (event.key === 'Enter' && (isSending ? isChoosing : isLate && hasMoved)) {
      event.preventDefault()
      event.stopPropagation()
      keys.current = { hasMoved: true, isChoosing: true, isSending }
    } else
      keys.current = {
        ...none,
        hasMoved: isLate && (event.key === 'ArrowDown' || event.key === 'ArrowUp'),
      }
  }
  useEffect(() => {
    // the form has been drawn with the option that was chosen before
    if (isSendingNext.current) element.current?.form?.requestSubmit()
    isSendingNext.current = false
    if (isLoading || !state || !keys.current.hasMoved) return
    const { collection, selectionManager } = state
    // the collection has the items of the reply one render later
    if (collection.size !== items.length || items.some(({ id }) => !collection.getItem(id))) return
    const { isChoosing, isSending } = keys.current
    keys.current = none
    const focused = selectionManager.focusedKey
    if (focused === null || !collection.getItem(focused))
      selectionManager.setFocusedKey(collection.getFirstKey())
    if (!isChoosing || items.length === 0) return
    state.commit()
    isSendingNext.current = isSending
  })
  return (
    <Input
      {...input}
      ref={element}
      onKeyDownCapture={onKeyDown}
      onFocus={() => state?.isFocused || isFocusedByDialog() || state?.open(null, 'manual')}
      onClick={() => state?.open(null, 'manual')}
      onBlur={() => {
        keys.current = none
      }}
    />
  )
}

import { type KeyboardEvent, type RefObject, useContext, useEffect, useRef } from 'react'
import { ComboBoxStateContext, Input } from 'react-aria-components'
import { isFocusedByDialog } from './first-field.ts'

const none = { hasMoved: false, isSending: false }

/**
 * The input of a ComboBox. Where the server finds its items, a person may type, move down and press Enter before the
 * reply is there: then an option of the reply is chosen, never one of the reply before. A Ctrl+Enter after that sends
 * the form as soon as the option is chosen, and a field that has lost the focus by then gets the first option.
 */
export function ComboInput({
  items,
  isLoading,
  isChoosing,
  onChooseFirst,
  ...input
}: {
  items: readonly { id: string }[]
  isLoading: boolean
  /** Whether Enter was pressed before the reply was there. */
  isChoosing: RefObject<boolean>
  /** Chooses the first of the items, if there is one, after the field has lost the focus. */
  onChooseFirst: () => void
  className: string
  placeholder?: string
}) {
  const state = useContext(ComboBoxStateContext)
  // the keys that were pressed since the text changed
  const keys = useRef(none)
  const isSendingNext = useRef(false)
  const element = useRef<HTMLInputElement>(null)
  // the form was sent without a choice and focuses the field, whose error the open list would cover
  const isRefused = useRef(false)

  function onKeyDown(event: KeyboardEvent): void {
    if (['Control', 'Meta', 'Shift', 'Alt', 'Tab'].includes(event.key)) return
    const { hasMoved } = keys.current
    const isLate = state?.isOpen === true && (isLoading || hasMoved)
    const isSending = event.ctrlKey || event.metaKey
    if (event.key === 'Enter' && (isSending ? isChoosing.current : isLate && hasMoved)) {
      event.preventDefault()
      event.stopPropagation()
      isChoosing.current = true
      keys.current = { hasMoved: true, isSending }
    } else {
      isChoosing.current = false
      keys.current = {
        ...none,
        hasMoved: isLate && (event.key === 'ArrowDown' || event.key === 'ArrowUp'),
      }
    }
  }
  useEffect(() => {
    // the form has been drawn with the option that was chosen before
    if (isSendingNext.current) element.current?.form?.requestSubmit()
    isSendingNext.current = false
    if (isLoading || !state || !keys.current.hasMoved) return
    if (!state.isFocused) {
      keys.current = none
      if (isChoosing.current) onChooseFirst()
      return
    }
    const { collection, selectionManager } = state
    // the collection has the items of the reply one render later
    if (collection.size !== items.length || items.some(({ id }) => !collection.getItem(id))) return
    const { isSending } = keys.current
    const mustChoose = isChoosing.current
    keys.current = none
    isChoosing.current = false
    const focused = selectionManager.focusedKey
    if (focused === null || !collection.getItem(focused))
      selectionManager.setFocusedKey(collection.getFirstKey())
    if (!mustChoose || items.length === 0) return
    state.commit()
    isSendingNext.current = isSending
  })
  return (
    <Input
      {...input}
      ref={element}
      onKeyDownCapture={onKeyDown}
      onInvalid={() => {
        isRefused.current = true
        setTimeout(() => {
          isRefused.current = false
        })
      }}
      onFocus={() =>
        state?.isFocused || isFocusedByDialog() || isRefused.current || state?.open(null, 'manual')
      }
      onClick={() => state?.open(null, 'manual')}
      onBlur={() => {
        // React Aria sends such an event, too, when an option becomes the active descendant
        const hasFocus = document.activeElement === element.current
        if (!hasFocus && !isChoosing.current) keys.current = none
      }}
    />
  )
}

import { type KeyboardEvent, useContext, useEffect, useRef } from 'react'
import { ComboBoxStateContext, Input } from 'react-aria-components'

const none = { hasMoved: false, isChoosing: false }

/**
 * The input of a ComboBox. Where the server finds its items, a person may type, move down and press Enter before the
 * reply is there: then an option of the reply is chosen, never one of the reply before.
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

  function onKeyDown(event: KeyboardEvent): void {
    if (!isLoading || !state?.isOpen) return
    if (event.key === 'Enter' && keys.current.hasMoved) {
      event.preventDefault()
      event.stopPropagation()
      keys.current = { hasMoved: true, isChoosing: true }
    } else keys.current = { ...none, hasMoved: event.key === 'ArrowDown' || event.key === 'ArrowUp' }
  }
  useEffect(() => {
    if (isLoading || !state || !keys.current.hasMoved) return
    const { collection, selectionManager } = state
    // the collection has the items of the reply one render later
    if (collection.size !== items.length || items.some(({ id }) => !collection.getItem(id))) return
    const { isChoosing } = keys.current
    keys.current = none
    const focused = selectionManager.focusedKey
    if (focused === null || !collection.getItem(focused))
      selectionManager.setFocusedKey(collection.getFirstKey())
    if (isChoosing && items.length > 0) state.commit()
  })
  return (
    <Input
      {...input}
      onKeyDownCapture={onKeyDown}
      onBlur={() => {
        keys.current = none
      }}
    />
  )
}

const fields = 'input:not([type=hidden], [type=checkbox], [type=radio], [type=file]), textarea'
let isFocusing = false

/**
 * Focuses the first empty field of the dialog around an element, otherwise its first field (DSH-25). A part of the dialog
 * that took the focus keeps it (`autoFocus`). Outside of dialogs it does nothing.
 */
export function focusFirstField(within: Element | null): void {
  const focused = document.activeElement
  const dialog = within?.closest('[role=dialog], [role=alertdialog]')
  if (!dialog || (focused !== dialog && dialog.contains(focused))) return
  const usable = [...dialog.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(fields)].filter(
    field =>
      !field.disabled && !field.readOnly && field.tabIndex >= 0 && !field.closest('[aria-hidden=true]'),
  )
  const field =
    usable.find(({ value }) => value === '') ??
    usable[0] ??
    // the chosen one of radio buttons, or the first if none is
    dialog.querySelector<HTMLInputElement>('input[type=radio][tabindex="0"]')
  isFocusing = true
  field?.focus()
  isFocusing = false
}

/** Whether a field has the focus because its dialog opened: a list of entries then waits for the first key. */
export function isFocusedByDialog(): boolean {
  return isFocusing
}

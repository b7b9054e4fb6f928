/** Makes Ctrl+Enter send the innermost form around the focus, on every screen. */
export function submitFormsWithControlEnter(): void {
  document.addEventListener('keydown', submit)
  // buttons and radio buttons would take the key for a press, and keep it from the page
  document.addEventListener(
    'keydown',
    event => {
      if (
        event.target instanceof Element &&
        event.target.closest('button, input[type=radio]') &&
        submit(event)
      )
        event.stopPropagation()
    },
    { capture: true },
  )
}

function submit(event: KeyboardEvent): boolean {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || !(event.target instanceof Element))
    return false
  const form = event.target.closest('form')
  if (!form) return false
  event.preventDefault()
  form.requestSubmit()
  return true
}

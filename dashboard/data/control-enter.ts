/** Makes Ctrl+Enter send the innermost form around the focus, on every screen. */
export function submitFormsWithControlEnter(): void {
  document.addEventListener('keydown', event => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || !(event.target instanceof Element))
      return
    const form = event.target.closest('form')
    if (!form) return
    event.preventDefault()
    form.requestSubmit()
  })
}

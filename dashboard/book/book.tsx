import { Button } from '../parts/button.tsx'

/** Every part of the screens in every state. */
export function Book() {
  return <Button kind="primary">Save</Button>
}

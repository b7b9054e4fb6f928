import { Outlet } from '@tanstack/react-router'

/** The screens of the person, in no organization. */
export function PersonShell() {
  return (
    <main id="main">
      <Outlet />
    </main>
  )
}

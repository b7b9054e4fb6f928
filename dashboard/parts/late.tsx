import { type ComponentType, useEffect, useState } from 'react'

/**
 * A component whose script is loaded when it is first shown, or earlier with `preload`, for example when a person
 * points at the button that opens it. For dialogs and menus, because nothing is shown until the script is there.
 */
export function late<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> & { preload: () => void } {
  let loaded: ComponentType<Props> | undefined
  let loading: Promise<void> | undefined
  function start(): Promise<void> {
    loading ??= load().then(
      component => {
        loaded = component
      },
      (error: unknown) => {
        // the next attempt loads it again
        loading = undefined
        throw error
      },
    )
    return loading
  }
  // unlike React.lazy, a component whose script was loaded renders at once
  function Late(props: Props) {
    const [Loaded, setLoaded] = useState(() => loaded)
    const [failure, setFailure] = useState<unknown>()
    useEffect(() => {
      if (!Loaded) start().then(() => setLoaded(() => loaded), setFailure)
    }, [Loaded])
    // the nearest error boundary shows it, as for a screen
    if (failure !== undefined) throw failure
    return Loaded ? <Loaded {...props} /> : null
  }
  return Object.assign(Late, { preload: () => void start().catch(() => {}) })
}

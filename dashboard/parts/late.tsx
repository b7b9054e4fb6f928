import { type ComponentType, useEffect, useState } from 'react'

/**
 * A component whose script is loaded when it is first shown, or before: call `preload` when a person points at
 * what opens it. Only for what no screen shows at first, as dialogs and menus: meanwhile, nothing is shown.
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
  // unlike React.lazy, it is there at once when it was loaded before
  function Late(props: Props) {
    const [Loaded, setLoaded] = useState(() => loaded)
    const [failure, setFailure] = useState<unknown>()
    useEffect(() => {
      if (!Loaded) start().then(() => setLoaded(() => loaded), setFailure)
    }, [Loaded])
    // as for a screen, the nearest error screen says so
    if (failure !== undefined) throw failure
    return Loaded ? <Loaded {...props} /> : null
  }
  return Object.assign(Late, { preload: () => void start().catch(() => {}) })
}

/** Carries wake-up signals between processes: LISTEN and NOTIFY of PostgreSQL, or NATS. It may lose any of them. */
export type SignalCarrier = {
  /** Listens on a channel, also after reconnects; resolves when the server has registered it, or the connection is down. */
  listen(channel: string, onNotification: (payload: string) => void): Promise<void>
  /** Sends at once. Resolves when the server has the notification; false if it is lost, because the connection is down. */
  notify(channel: string, payload: string): Promise<boolean>
  /** Called after each connection that nobody waited for, because notifications may have been missed. */
  onReconnect(act: () => void): void
  isConnected(): boolean
  close(): Promise<void>
}

/** The longest payload: a notification of PostgreSQL has fewer than 8000 bytes. */
export const maxPayloadBytes = 7_900

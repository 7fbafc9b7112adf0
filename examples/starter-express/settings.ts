import { existsSync } from "node:fs";

/** This host reads these settings from its environment, and from `.env` if that file exists. */
export interface Settings {
  readonly port: number;
  /** It is the origin that buyers see, such as `https://shop.example.com`. */
  readonly publicUrl: string;
  /** It is an address such as `postgres://…`. With null the host uses SQLite. */
  readonly databaseUrl: string | null;
  readonly sqliteFile: string;
  /** These 32 bytes seal what the database keeps secret. */
  readonly sealKey: Uint8Array;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Reads the settings. Throws an Error whose message names the variable and how to correct it. */
export function readSettings(environment: Environment): Settings {
  const publicUrl = environment["PUBLIC_URL"] ?? "";
  if (!URL.canParse(publicUrl) || new URL(publicUrl).origin !== publicUrl)
    throw new Error(
      "PUBLIC_URL must be an origin, such as https://shop.example.com. See .env.example.",
    );

  const port = Number(environment["PORT"] ?? "3000");
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new Error("PORT must be a number from 0 to 65535.");

  const sealKey = Buffer.from(environment["SEAL_KEY"] ?? "", "base64");
  if (sealKey.length !== 32)
    throw new Error(
      "SEAL_KEY must be 32 bytes in base64: make one with `openssl rand -base64 32`.",
    );

  const databaseUrl = environment["DATABASE_URL"] || null;
  if (databaseUrl !== null && !/^postgres(ql)?:\/\//.test(databaseUrl))
    throw new Error("DATABASE_URL must begin with postgres://. Leave it out to use SQLite.");

  const sqliteFile = environment["SQLITE_FILE"] || "shop.sqlite";
  return { port, publicUrl, databaseUrl, sqliteFile, sealKey };
}

/** Reads `.env` of the working directory. Variables that are already set keep their values. */
export function readEnvironment(): Settings {
  if (existsSync(".env")) process.loadEnvFile(".env");
  return readSettings(process.env);
}

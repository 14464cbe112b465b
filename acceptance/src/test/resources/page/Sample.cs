// The client class of the C# sample of the 2017 page of Azure's Scheduled Events, unchanged, and a Main that uses it as the
// page's program does, without the JSON library the page takes from elsewhere.
using System;
using System.Net;
using System.Text.RegularExpressions;

public class ScheduledEventsClient
{
    private readonly string scheduledEventsEndpoint;
    private readonly string defaultIpAddress = "169.254.169.254"; 

    // Set up the scheduled events URI for a VNET-enabled VM
    public ScheduledEventsClient()
    {
        scheduledEventsEndpoint = string.Format("http://{0}/metadata/scheduledevents?api-version=2017-03-01", defaultIpAddress);
    }

    // Get events
    public string GetScheduledEvents()
    {
        Uri cloudControlUri = new Uri(scheduledEventsEndpoint);
        using (var webClient = new WebClient())
        {
            webClient.Headers.Add("Metadata", "true");
            return webClient.DownloadString(cloudControlUri);
        }   
    }

    // Approve events
    public void ApproveScheduledEvents(string jsonPost)
    {
        using (var webClient = new WebClient())
        {
            webClient.Headers.Add("Content-Type", "application/json");
            webClient.UploadString(scheduledEventsEndpoint, jsonPost);
        }
    }
}

public class Program
{
    static void Main(string[] args)
    {
        var client = new ScheduledEventsClient();
        string json = client.GetScheduledEvents();
        Console.WriteLine(json);
        string incarnation = Regex.Match(json, "\"DocumentIncarnation\":(\\d+)").Groups[1].Value;
        foreach (Match id in Regex.Matches(json, "\"EventId\":\"([^\"]+)\""))
        {
            client.ApproveScheduledEvents("{\"DocumentIncarnation\":\"" + incarnation
                + "\",\"StartRequests\":[{\"EventId\":\"" + id.Groups[1].Value + "\"}]}");
        }
        Console.WriteLine(client.GetScheduledEvents());
    }
}
